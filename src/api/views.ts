// The state of each view, and the report of a build.

export interface ViewReport {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

export interface ViewState {
  readonly name: string;
  readonly version: number;
  /** Log position up to which the view is built. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
}
