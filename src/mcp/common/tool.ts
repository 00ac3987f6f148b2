// A tool: its schemas, what it may do, and how a failure is answered. A failure is a result that says what to do, so that
// the model can go on.
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Annals } from '../../api.ts';
import { escapeForPrompt } from '../../brief/escape-for-prompt.ts';
import { markedAnswer, markedText, markFields, shortLine, type ToolAnswer } from './past-text.ts';

const CLIENT_CHARS_MAX = 100;
const implementation = z.object({ name: z.string(), version: z.string() });

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** What the tools work with. */
export interface Services {
  /** Asks the library. What only reads is asked again if the worker ends before it answered. */
  ask<T>(question: (annals: Annals) => Promise<T>, options?: { readonly changes?: boolean }): Promise<T>;
  /** The folder that the client works in; null if it names none. */
  folder(): Promise<string | null>;
  /** How a person calls the command: `annals`. */
  readonly command: string;
  /** The home, if a person has to name it in a command. */
  readonly home: string | null;
  /** Null for a bug. */
  failureOf(error: unknown): Failure | null;
  onBug(error: unknown): void;
}

export interface Call extends Services {
  /** Aborts when the client cancels the request. */
  readonly signal: AbortSignal;
  /** Name and version that the client gives itself; null if it gives none. */
  readonly client: string | null;
}

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Hosts cut it at 2 KB. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly effect: 'reads' | 'adds' | 'proposes';
  run(input: z.output<I>, call: Call): Promise<ToolAnswer<z.input<O>>>;
}

/** The arguments are right by their schema, but cannot be used. */
export class ToolFailure extends Error {}

export function defineTool<I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool {
  return tool as unknown as Tool;
}

export type MakeCall = (ctx: ServerContext) => Call;

export function makeCall(server: McpServer, services: Services): MakeCall {
  return (ctx) => ({ ...services, signal: ctx.mcpReq.signal, client: clientOf(server, ctx) });
}

export function registerTool(server: McpServer, tool: Tool, callOf: MakeCall): void {
  const { name, title, description, input, output, effect } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: z.object({ ...markFields.before, ...output.shape, ...markFields.after }),
      annotations: {
        title,
        readOnlyHint: effect === 'reads',
        destructiveHint: false,
        // The same proposal waits once.
        idempotentHint: effect !== 'adds',
        openWorldHint: false,
      },
    },
    (args, ctx) => answered(tool, args as never, callOf(ctx)),
  );
}

async function answered(tool: Tool, input: Record<string, unknown>, call: Call): Promise<CallToolResult> {
  try {
    const result = await tool.run(input, call);
    return {
      content: [{ type: 'text', text: markedText(tool.name, result) }],
      structuredContent: markedAnswer(result),
    };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: failureText(error, call) }] };
  }
}

export function failureText(
  error: unknown,
  { failureOf, onBug }: Pick<Services, 'failureOf' | 'onBug'>,
): string {
  if (error instanceof ToolFailure) return escapeForPrompt(error.message);
  const failure = failureOf(error);
  if (failure === null) {
    onBug(error);
    return 'Something in Annals went wrong, and the call was not answered. Go on without it.';
  }
  // Both may quote a project's name.
  return escapeForPrompt([failure.message, ADVICE[failure.code] ?? failure.hint ?? ''].join(' '));
}

/** Where the hint of the command line does not help a model. */
const ADVICE: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Use an id or a project that search or timeline answered.',
  AMBIGUOUS_ID: 'Give more of the id, or the whole name, as search or timeline answered it.',
  FORGOTTEN: 'A person had it deleted. Go on without it.',
  HOME_LOCKED: 'Another command uses the memory. Try once more later.',
  WORKER_GONE: 'What was acknowledged is safe. Look with search before you save it again.',
};

function clientOf(server: McpServer, { mcpReq }: ServerContext): string | null {
  // The newer protocol names the client in every request.
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const info = implementation.safeParse(envelope?.[CLIENT_INFO_META_KEY] ?? server.server.getClientVersion());
  return info.success ? shortLine(`${info.data.name} ${info.data.version}`, CLIENT_CHARS_MAX) : null;
}
