// The parts of the brief that other modules of this feature use.
export { AGENT_CHARS_MAX, fitAgentBrief, renderAgentBrief, tokensOf } from './agent-brief.ts';
export { compose } from './compose-brief.ts';
export { type Brief, type BriefLine, type Cost, type TurnKey, turnsOf } from './lines/brief.ts';
export type { BriefMaterial } from './lines/material.ts';
export { fitPersonBrief, renderPersonBrief } from './person-brief.ts';
