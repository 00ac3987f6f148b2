// What others may use of rendering.
export { AGENT_CHARS_MAX, drawAgent, fitAgent, tokensOf } from './agent.ts';
export { type Brief, type BriefLine, type Cost, type TurnName, turnsOf } from './brief.ts';
export { compose } from './compose.ts';
export type { Lately, Material } from './material.ts';
export { drawPerson, fitPerson } from './person.ts';
