// The worker thread that searches a part of the files; scripts/build.mjs builds it as a separate program.
//
//   workerData: FileSearch    answer: FilesSearched
import { parentPort, workerData } from 'node:worker_threads';
import { type FileSearch, searchFiles } from './search-files.ts';

parentPort!.postMessage(searchFiles(workerData as FileSearch));
