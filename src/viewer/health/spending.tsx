import type { HomeStatus, ObserverCost } from '../api/types.ts';
import type { Loaded } from '../api/use-data.ts';
import { counted, short } from '../ui/amounts.ts';
import { plainLine } from '../ui/plain.ts';
import { href } from '../ui/route.ts';
import { Shown } from '../ui/states.tsx';
import { WithCode } from '../ui/with-code.tsx';
import { Bars } from './bars.tsx';
import { DayChart } from './chart.tsx';
import { everyDay } from './every-day.ts';

type Spent = ObserverCost['lastDay'];

interface Props {
  readonly cost: Loaded<ObserverCost>;
  readonly status: Loaded<HomeStatus>;
}

export function ModelSpending({ cost, status }: Props) {
  const observer = status.data?.observer;
  return (
    <section aria-labelledby="model-heading">
      <h2 id="model-heading">Model</h2>
      {observer !== undefined && <Observer observer={observer} />}
      <Shown loaded={cost}>
        {(data) => (
          <>
            <Budget cost={data} />
            {data.days.length > 0 && <Spending cost={data} />}
          </>
        )}
      </Shown>
    </section>
  );
}

/** What a person asks first. */
export function CostLine({ cost: { lastDay, budget } }: { readonly cost: ObserverCost }) {
  const limit = budget.usdPerDay === null ? ', without a limit' : ` of ${cents(budget.usdPerDay)}`;
  return (
    <p>
      Model cost in 24 hours: {cents(lastDay.usd)}
      {limit}
    </p>
  );
}

const cents = (usd: number): string => (usd === 0 ? '$0.00' : dollars(usd));

function Observer({ observer }: { readonly observer: HomeStatus['observer'] }) {
  const { provider, model, place, why, auto, waiting, hold } = observer;
  return (
    <>
      <p>
        {provider === null ? (
          <WithCode text={`Rules write the observations. ${why ?? ''}`} />
        ) : (
          `${plainLine(model ?? provider)} at ${plainLine(place ?? provider)} writes observations${
            auto === 'off' ? ', when asked to' : `; ${counted(waiting, 'request')} to send`
          }.`
        )}
      </p>
      {hold !== null && (
        <p class="notice">
          <WithCode text={hold.sentence} />
        </p>
      )}
    </>
  );
}

function Budget({ cost: { lastDay, budget, days } }: { readonly cost: ObserverCost }) {
  const { usdPerDay, left } = budget;
  return (
    <>
      <p>
        {days.length === 0
          ? 'No model was asked so far.'
          : `In the last 24 hours: ${dollars(lastDay.usd)} for ${counted(lastDay.calls, 'request')}.`}{' '}
        {usdPerDay === null ? 'There is no limit for a day' : `The limit is ${dollars(usdPerDay)} a day`} (
        <a href={href('settings')}>settings</a>).
      </p>
      {usdPerDay !== null && usdPerDay > 0 && days.length > 0 && (
        <p class="work">
          <meter
            aria-label={`Spent of the limit for a day: ${dollars(lastDay.usd)} of ${dollars(usdPerDay)}`}
            max={usdPerDay}
            high={usdPerDay * 0.8}
            optimum={0}
            value={lastDay.usd}
          />
          <span class="number">{dollars(left ?? 0)} left</span>
        </p>
      )}
    </>
  );
}

function Spending({ cost: { days, models, projects } }: { readonly cost: ObserverCost }) {
  const byDay = everyDay(
    [...days].reverse().map(({ day, usd }) => ({ day, value: usd })),
    () => 0,
  );
  return (
    <>
      <div class="charts">
        <DayChart title="Dollars by day" unit="Dollars" days={byDay} form="bars" text={dollars} />
      </div>
      <div class="charts">
        <Bars title="By model" bars={models.map((one) => spentBar(one.model, one))} />
        <Bars title="By project" bars={projects.map((one) => spentBar(one.project, one))} />
      </div>
    </>
  );
}

function spentBar(name: string, { usd, calls, tokens }: Spent) {
  const text = `${dollars(usd)}, ${counted(calls, 'request')}, ${short(tokens)} tokens`;
  return { name: plainLine(name), value: usd, text };
}

/** `$0.0042`: most requests cost less than a cent. */
function dollars(usd: number): string {
  if (usd === 0) return '$0';
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
