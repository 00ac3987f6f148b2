// Readings of the same turns by different recipes: which there are, and how they differ.

/** What memory speaks from: a recipe, or `rules` for none. */
export type RecipeName = string;

export interface RecipeUse {
  readonly recipe: RecipeName;
  /** Turns that it has read, wholly or in part. */
  readonly turns: number;
  /** Answers that could not be read, and requests that failed. */
  readonly invalid: number;
  readonly failed: number;
  readonly calls: number;
  readonly usd: number;
  readonly tokens: number;
  /** ISO 8601: of its first and last request. */
  readonly first: string | null;
  readonly last: string | null;
  /** Turns whose observations and summary are its own at the moment. */
  readonly speaks: number;
}

export interface ObserverRecipes {
  /** `latest`: the newest reading of each turn; `rules`: none; else the recipe that a person chose. */
  readonly chosen: RecipeName;
  /** The one used last first. */
  readonly recipes: readonly RecipeUse[];
  /** Turns whose observations and summary are those of the rules. */
  readonly rulesSpeak: number;
}

export interface RecipeChoice {
  readonly recipe: RecipeName;
  /** What was chosen until now. */
  readonly before: RecipeName;
  readonly changed: boolean;
}

export interface CompareOptions {
  /** A recipe, a part of its name that only it has, or `rules`. Default: for each turn, what would speak without `after`. */
  readonly before?: string;
  readonly after: string;
  /** A session's id, or the beginning of it. */
  readonly session?: string;
  readonly project?: string;
  readonly since?: string | number;
}

/** A text, the entries of a list, or null for a field that is empty. */
export type FieldValue = string | readonly string[] | null;

export interface FieldDifference {
  readonly field: string;
  readonly before: FieldValue;
  readonly after: FieldValue;
}

export interface ItemDifference {
  readonly kind: 'observation' | 'summary';
  readonly id: string;
  readonly change: 'changed' | 'added' | 'gone';
  /** Of the later one, if there is one. */
  readonly title: string;
  /** Those that differ; of an added or a gone observation all that it has. */
  readonly fields: readonly FieldDifference[];
}

export interface SideOfTurn {
  readonly recipe: RecipeName;
  /** What its requests about the turn cost, failed ones included. */
  readonly usd: number;
}

export interface TurnDifference {
  readonly session: string;
  readonly turn: string;
  /** ISO 8601. */
  readonly at: string | null;
  readonly request: string;
  readonly before: SideOfTurn;
  readonly after: SideOfTurn;
  /** Empty when both say the same. */
  readonly items: readonly ItemDifference[];
}

export interface ReadingsDifference {
  /** Null when each turn has its own: see there. */
  readonly before: RecipeName | null;
  readonly after: RecipeName;
  /** Turns that both have read, oldest first; rules have read all. */
  readonly turns: readonly TurnDifference[];
  /** Turns that only one of them has read. */
  readonly onlyBefore: number;
  readonly onlyAfter: number;
}
