/** How parts tell the operator of what they meet. */

/** What is reported about a part goes to the log under its name. */
export type ReportOf = (part: string) => (message: string, details: object) => void;
