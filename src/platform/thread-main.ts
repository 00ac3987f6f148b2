// Runs in every worker thread that `startThread` starts: loads the program whose path is the argument.
import { loadProgram } from './load-program.ts';

loadProgram(process.argv[2]!);
