// Reads the body of a request, bounded in size. Its time is bounded by the connection's deadline.
import type { IncomingMessage } from '../platform/local-http-server.ts';
import { HttpError } from './http-error.ts';

export const BODY_BYTES_MAX = 5 * 1024 * 1024;

/** @throws HttpError 413, 415; 400: the client went away */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new HttpError(415, 'UNSUPPORTED', 'The body is compressed.', { hint: 'Send it as it is.' });
  const tooLarge = () =>
    new HttpError(413, 'TOO_LARGE', `The body is larger than ${BODY_BYTES_MAX / 2 ** 20} MB.`, {
      hint: 'Send less at once.',
    });
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= BODY_BYTES_MAX) return;
      request.off('data', onData);
      reject(tooLarge());
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('close', () => reject(new HttpError(400, 'USAGE', 'The request ended before its body.')));
    request.once('error', () => reject(new HttpError(400, 'USAGE', 'The request ended before its body.')));
  });
}
