// Whether sessions were given the item, and whether they used it.
import { get } from '../api/client.ts';
import type { ReceiptsAnswer } from '../api/types.ts';
import { useData } from '../api/use-data.ts';
import { counted } from '../ui/amounts.ts';

export function Receipts({ id }: { readonly id: string }) {
  const receipts = useData(id, (signal) => get<ReceiptsAnswer>('/api/receipts', { item: id }, signal));
  const found = receipts.data?.item ?? null;
  if (found === null) return null;
  const { shown, used, cited, fixed, opened } = found;
  const uses = [
    ...(cited > 0 ? [`named ${counted(cited, 'time')}`] : []),
    ...(fixed > 0 ? [`its command was run ${counted(fixed, 'time')}`] : []),
    ...(opened > 0 ? [`its file was opened first ${counted(opened, 'time')}`] : []),
  ];
  return (
    <section aria-labelledby="receipts-heading">
      <h2 id="receipts-heading">What it was good for</h2>
      <p>
        Sessions were given it {counted(shown, 'time')} and used it {counted(used, 'time')}
        {uses.length > 0 && `: ${uses.join(', ')}`}.
      </p>
    </section>
  );
}
