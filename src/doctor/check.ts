// A check looks at one part of an installation and reports findings. It changes nothing; a finding may have a fix that
// is safe: it removes nothing of value, and running it twice does no harm.

export type Figures = Readonly<Record<string, number>>;

export type CheckState = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly state: CheckState;
  /** One sentence. */
  readonly message: string;
  /** What a person can do about it. */
  readonly advice?: string;
  /** What was measured, by name; the names say the unit. */
  readonly figures?: Figures;
  /** Mends it. Resolves with what was done, as a sentence. */
  readonly fix?: () => Promise<string>;
}

export interface Check {
  readonly name: string;
  look(): Promise<readonly Finding[]>;
}

export interface CheckResult {
  readonly name: string;
  readonly state: CheckState;
  readonly message: string;
  readonly advice: string | null;
  readonly figures: Figures | null;
  /** How long its check took. */
  readonly ms: number;
}

export interface Diagnosis {
  /** No problems; there may be warnings. */
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
  /** What was repaired, one sentence each. */
  readonly fixed: readonly string[];
}

/** @param fix mends what is safe, then looks again; now: Unix ms */
export async function diagnose(
  checks: readonly Check[],
  { fix, now }: { readonly fix: boolean; now(): number },
): Promise<Diagnosis> {
  const results: CheckResult[] = [];
  const fixed: string[] = [];
  for (const check of checks) {
    const began = now();
    let findings = await lookAt(check);
    if (fix && findings.some((finding) => finding.fix !== undefined)) {
      for (const finding of findings) fixed.push(...(await mend(finding)));
      findings = await lookAt(check);
    }
    const ms = now() - began;
    for (const { state, message, advice = null, figures = null } of findings)
      results.push({ name: check.name, state, message, advice, figures, ms });
  }
  return { ok: results.every(({ state }) => state !== 'problem'), checks: results, fixed };
}

async function mend({ fix }: Finding): Promise<readonly string[]> {
  try {
    return fix === undefined ? [] : [await fix()];
  } catch {
    // The second look reports it again.
    return [];
  }
}

async function lookAt({ look }: Check): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ state: 'warning', message: `This could not be checked: ${why}` }];
  }
}
