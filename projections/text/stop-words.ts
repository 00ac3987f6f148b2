// English words too common to say anything about a document. Compared before stemming. Single letters are the remains
// of contractions (don't → don, t). Negations are not stop words, because errors say “not found” and “no such file”
// (known items, words only: MRR 74.9 with negations here, 76.6 without). Part of the recipe's version.
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both ' +
    'but by can could d did do does doing don down during each few for from further had has have having he her ' +
    'here hers him his how i if in into is it its itself just ll m me more most my now of off on once ' +
    'or other our ours out over own re s same she should so some such t than that the their theirs them then ' +
    'there these they this those through to too under until up ve very was we were what when where which while ' +
    'who whom why will with would you your yours'
  ).split(' '),
);
