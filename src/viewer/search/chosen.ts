/** Query parameters of the API that the facets set; asOf is a day, at whose end the memory is searched as it was. */
export const FACETS = ['kind', 'project', 'agent', 'type', 'since', 'asOf'] as const;

export type Chosen = Readonly<Partial<Record<(typeof FACETS)[number], string>>>;
