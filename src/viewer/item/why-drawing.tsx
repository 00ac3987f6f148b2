// Where an item comes from, as a drawing: its events, the item, its turn and its session. The list below it says the same.
import { get } from '../api/client.ts';
import { type ShownItem, textDetail, type Why } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';
import { eventName, kindName } from '../ui/labels.tsx';
import { cut, plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';

type Event = Why['events'][number];

interface Props {
  readonly item: ShownItem;
  readonly events: readonly Event[];
  lineOf(event: Event): string;
}

/** The last line counts the others. */
const EVENTS_DRAWN = 7;
const LINE = 30;
const BOX = { width: 210, height: 46 };
/** Where the columns begin: events, the item, the turn, the session. */
const X = { event: 0, item: 330, turn: 580, session: 830 };
const WIDTH = X.session + BOX.width;
const EVENT_CHARS = 38;
const BOX_CHARS = 26;

export function WhyDrawing({ item, events, lineOf }: Props) {
  const turn = item.kind === 'turn' ? null : textDetail(item.details, 'turn');
  const session = item.kind === 'session' ? null : item.session;
  const isCut = events.length > EVENTS_DRAWN;
  const drawn = events.slice(0, isCut ? EVENTS_DRAWN - 1 : EVENTS_DRAWN);
  const lines = drawn.map((event) => `${eventName(event.type)} ${lineOf(event)}`);
  if (isCut) lines.push(`and ${counted(events.length - drawn.length, 'more event', 'more events')}`);
  const height = Math.max(lines.length * LINE, BOX.height + 8);
  const middle = height / 2;
  const asked = events.find(({ type }) => type === 'prompt.submitted');
  // A tool use does not stand on its prompt.
  const { data: shownTurn } = useData(`turn ${turn}`, async (signal) =>
    turn === null || asked !== undefined
      ? null
      : get<ShownItem>(`/api/items/${encodeURIComponent(turn)}`, {}, signal),
  );
  const boxes = [
    { x: X.item, name: kindName(item.kind), text: item.title, address: null },
    ...(turn === null
      ? []
      : [
          {
            x: X.turn,
            name: 'Turn',
            text: asked === undefined ? (shownTurn?.title ?? '') : lineOf(asked),
            address: href('item', turn),
          },
        ]),
    ...(session === null
      ? []
      : [
          {
            x: X.session,
            name: 'Session',
            text: item.project ?? '',
            address: href('session', session, { item: item.id }),
          },
        ]),
  ];
  const said = [counted(events.length, 'event'), ...boxes.map(({ name }) => name.toLowerCase())].join(
    ', then ',
  );
  const name = `From the events to the session: ${said}`;
  return (
    <figure class="wide drawing" aria-label={name}>
      <svg class="why-drawing" viewBox={`-2 0 ${WIDTH + 4} ${height}`} width={WIDTH + 4} height={height}>
        <title>{name}</title>
        {lines.map((text, index) => {
          const y = LINE * (index + 0.5) + (height - lines.length * LINE) / 2;
          return (
            <g key={index}>
              <path d={`M 290 ${y} C 312 ${y} 308 ${middle} ${X.item} ${middle}`} />
              <circle cx={6} cy={y} r={4} />
              <text x={18} y={y + 4}>
                {cut(text, EVENT_CHARS)}
              </text>
            </g>
          );
        })}
        {boxes.map(({ x, name: of, text, address }, index) => {
          const box = (
            <>
              <rect x={x} y={middle - BOX.height / 2} width={BOX.width} height={BOX.height} rx={8} />
              <text x={x + 10} y={middle - 5} class="name">
                {of}
              </text>
              <text x={x + 10} y={middle + 13}>
                {cut(plainLine(text), BOX_CHARS)}
              </text>
            </>
          );
          return (
            <g key={of}>
              {index > 0 && <path d={`M ${boxes[index - 1]!.x + BOX.width} ${middle} H ${x}`} />}
              {address === null ? box : <a href={address}>{box}</a>}
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
