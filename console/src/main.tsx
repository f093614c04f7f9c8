/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { askConfiguration } from './configuration.ts';
import './styles.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void askConfiguration();
