// The views: where each stands, and what building one came to.

export interface ViewReport {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

export interface ViewState {
  readonly name: string;
  readonly version: number;
  /** Log position the view stands at. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
}
