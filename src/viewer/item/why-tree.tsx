// Where an item comes from, down to the events as they are in the log.
import { get } from '../api/client.ts';
import type { ShownItem, Why } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { eventName, Time } from '../ui/labels.tsx';
import { LongText } from '../ui/long-text.tsx';
import { cut, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { toolName, toolText } from '../ui/tool-text.ts';
import { WhyDrawing } from './why-drawing.tsx';

const EVENTS_MAX = 200;
const LINE_CHARS_MAX = 160;

const CHANNELS: Readonly<Record<string, string>> = {
  hook: 'from a hook',
  transcript: 'from a transcript',
  api: 'through the API',
  cli: 'from the command line',
  import: 'imported',
};

export function WhyTree({ item }: { readonly item: ShownItem }) {
  const { id } = item;
  const why = useData(id, (signal) => get<Why>(`/api/items/${encodeURIComponent(id)}/why`, {}, signal));
  return (
    <section aria-labelledby="why-heading" class="why">
      <h2 id="why-heading">Where it comes from</h2>
      <Shown loaded={why}>
        {({ steps, events }) => (
          <>
            <WhyDrawing item={item} events={events} lineOf={lineOf} />
            <ol class="why-steps">
              {steps.map((step) => (
                <li key={step}>
                  <WithLinks text={plainLine(step)} />
                </li>
              ))}
            </ol>
            <p class="quiet-text">
              {counted(events.length, 'event')} of the log
              {events.length > EVENTS_MAX && `, the first ${EVENTS_MAX}`}
            </p>
            <ul class="why-events">
              {events.slice(0, EVENTS_MAX).map((event) => (
                <li key={event.id}>
                  <details>
                    <summary>
                      <span class="tool-name" title={event.type}>
                        {eventName(event.type)}
                      </span>
                      <span class="tool-what" dir="auto">
                        {lineOf(event)}
                      </span>
                      <span class="row-meta">
                        <span>{CHANNELS[event.channel] ?? event.channel}</span>
                        <Time
                          at={event.occurredAt === null ? null : new Date(event.occurredAt).toISOString()}
                        />
                        <span>#{event.position}</span>
                      </span>
                    </summary>
                    <LongText text={JSON.stringify(event, null, 2)} label={`Event ${event.position}`} />
                  </details>
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </section>
  );
}

/** The id of an item, `o-2ymd7kfxq3ab`, or of a session. */
const IDS = /\b([a-z]-[a-z0-9]{12}|(?<=session )[\w-]{8,})\b/;

function WithLinks({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(IDS).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={index} href={href(/^[a-z]-[a-z0-9]{12}$/.test(part) ? 'item' : 'session', part)}>
            {part}
          </a>
        ),
      )}
    </>
  );
}

function lineOf({ body }: Why['events'][number]): string {
  const fields = body as Readonly<Record<string, unknown>>;
  const text =
    typeof fields.name === 'string'
      ? `${toolName(fields.name)} ${toolText((fields.input ?? null) as ShownItem['details'])}`
      : [fields.text, fields.title, fields.cwd].find((one) => typeof one === 'string');
  return cut(plainLine(String(text ?? '').slice(0, 2 * LINE_CHARS_MAX)), LINE_CHARS_MAX);
}
