/** Query parameters of the API that the facets set. */
export const FACETS = ['kind', 'project', 'agent', 'type', 'since', 'until'] as const;

export type Chosen = Readonly<Partial<Record<(typeof FACETS)[number], string>>>;
