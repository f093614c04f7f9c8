/** Starts the console. */
import { render } from 'preact';
import { App } from './app.tsx';
import { askConfiguration } from './configuration.ts';
import './look.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
void askConfiguration();
