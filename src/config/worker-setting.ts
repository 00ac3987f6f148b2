// The setting "worker" from the environment. A module of its own: reading it must not load the schema library.

/** ANNALS_WORKER, if it is set: "off" is off, anything else is on. */
export function workerSetting(environment: Readonly<Record<string, string | undefined>>): {
  readonly worker?: 'on' | 'off';
} {
  const { ANNALS_WORKER: given = '' } = environment;
  return given === '' ? {} : { worker: given === 'off' ? 'off' : 'on' };
}
