// Whether everything works: what doctor finds, how the log grows, what hooks, searches and models cost.
import { get } from '../api/client.ts';
import type { Growth, HomeStatus, ObserverCost, ReceiptsAnswer } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { Checks } from './checks.tsx';
import { useDiagnosis } from './diagnosis.ts';
import { HookCost } from './hook-cost.tsx';
import { LogSize } from './log-size.tsx';
import { Maintenance } from './maintenance.tsx';
import { Queue } from './queue.tsx';
import { SearchSpeed } from './search-speed.tsx';
import { CostLine, ModelSpending } from './spending.tsx';

const LIVE_MS = 2_000;

export function HealthScreen() {
  const diagnosis = useDiagnosis();
  const status = useData('', (signal) => get<HomeStatus>('/api/status', {}, signal), { live: LIVE_MS });
  const growth = useData('', (signal) => get<Growth>('/api/growth', {}, signal));
  const cost = useData('', (signal) => get<ObserverCost>('/api/observer/cost', {}, signal));
  const receipts = useData('', (signal) => get<ReceiptsAnswer>('/api/receipts', { limit: 1 }, signal));
  return (
    <div class="health">
      <h1>Health</h1>
      <Checks diagnosis={diagnosis} />
      {cost.data !== null && <CostLine cost={cost.data} />}
      <Queue status={status} />
      <LogSize growth={growth} status={status} />
      <HookCost diagnosis={diagnosis} receipts={receipts} />
      <SearchSpeed />
      <ModelSpending cost={cost} status={status} />
      <Maintenance />
    </div>
  );
}
