// The mode that is used unless another one is chosen.
import type { Mode } from './mode.ts';

export const codeMode: Mode = {
  name: 'code',
  description: 'Work on software: what was changed, found and decided, and why.',
  types: [
    { name: 'bugfix', description: 'something was broken and works now' },
    { name: 'feature', description: 'something new works' },
    { name: 'refactor', description: 'code was rearranged and does the same' },
    { name: 'change', description: 'anything else that was changed: configuration, documents, dependencies' },
    {
      name: 'discovery',
      description: 'how something works or why it fails was found out; nothing was changed',
    },
    { name: 'decision', description: 'a choice was made for a stated reason' },
    { name: 'security', description: 'a weakness was found or closed' },
  ],
  concepts: [
    { name: 'how-it-works', description: 'explains a mechanism' },
    { name: 'why-it-exists', description: 'gives the reason for something' },
    { name: 'what-changed', description: 'names changes' },
    { name: 'problem-solution', description: 'a problem together with what solved it' },
    { name: 'gotcha', description: 'a trap for the next one who works here' },
    { name: 'trade-off', description: 'what was given up for what' },
  ],
  guidance: [
    'Write what a colleague must know to continue this work in a month: the cause, the fix, the choice and its reason.',
    'Name files, functions, commands, versions and error messages exactly as they stand in the record.',
    'Prefer the cause to the symptom, and the outcome to the attempt.',
  ],
  skip: [
    'looking around, listing files, status checks, installing packages without a surprise',
    'attempts that were taken back and taught nothing',
    'what every engineer knows',
  ],
  verbosity: 'normal',
  language: null,
};
