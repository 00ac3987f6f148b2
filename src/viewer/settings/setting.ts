/** As the API answers it; secrets in it are masked. */
export interface Setting {
  readonly name: string;
  readonly value: unknown;
  readonly source: 'default' | 'file' | 'environment';
  readonly default: unknown;
  readonly variable: string | null;
  readonly about: string;
}
