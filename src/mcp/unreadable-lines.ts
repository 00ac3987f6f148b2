// Answers lines of a client that are no messages. The library's transport skips them.
import { deserializeMessage, ProtocolErrorCode } from '@modelcontextprotocol/server';

const LINE_END = 0x0a;

export class UnreadableLines {
  readonly #answer: (line: string) => void;
  #begun: Buffer[] = [];

  constructor(answer: (line: string) => void) {
    this.#answer = answer;
  }

  /** Takes what was read, cut anywhere. */
  read(bytes: Buffer): void {
    let start = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, start)) {
      this.#check(Buffer.concat([...this.#begun, bytes.subarray(start, end)]).toString('utf8'));
      this.#begun = [];
      start = end + 1;
    }
    this.#begun.push(bytes.subarray(start));
  }

  #check(line: string): void {
    if (line.trim() === '') return;
    try {
      deserializeMessage(line);
    } catch (error) {
      const isJson = !(error instanceof SyntaxError);
      const code = isJson ? ProtocolErrorCode.InvalidRequest : ProtocolErrorCode.ParseError;
      const message = isJson
        ? 'Invalid request: the line is no JSON-RPC message'
        : 'Parse error: the line is no JSON';
      this.#answer(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`);
    }
  }
}
