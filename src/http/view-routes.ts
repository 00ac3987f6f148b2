// The route by which the viewer gets its token.
import * as z from 'zod';
import { HttpError } from './http-error.ts';
import { defineRoute, type Route } from './route.ts';

const exchange = defineRoute({
  method: 'post',
  path: '/api/view/token',
  summary: 'Exchanges the ticket in the address of the viewer for the token, once.',
  access: 'open',
  body: z.strictObject({ ticket: z.string().min(1).max(100) }),
  example: { body: { ticket: '{ticket}' } },
  answer: z.object({ token: z.string() }),
  failures: [404],
  async run({ body }, { tickets }) {
    const token = tickets.exchange(body.ticket);
    if (token !== null) return { token };
    throw new HttpError(404, 'NOT_FOUND', 'This address was used before, or is too old.', {
      hint: 'Run `annals view` again.',
    });
  },
});

export const viewRoutes: readonly Route[] = [exchange];
