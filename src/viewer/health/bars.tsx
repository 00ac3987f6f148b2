// A table whose figures are bars too.

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
  /** What the value counts as: above its budget. */
  readonly isBad?: boolean;
}

interface Props {
  readonly title: string;
  readonly bars: readonly Bar[];
}

export function Bars({ title, bars }: Props) {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  return (
    <table class="bars">
      <caption>{title}</caption>
      <tbody>
        {bars.map(({ name, value, text, isBad }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="bar">
              <span
                class={isBad === true ? 'is-bad' : undefined}
                style={{ width: `${(100 * value) / most}%` }}
              />
            </td>
            <td class="number">{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
