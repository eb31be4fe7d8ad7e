const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Shows a moment of the server in the time zone of the browser: the time for today, else the day. The rest is in the title. */
export function Time({ at, exact = false }: { at: string; exact?: boolean }) {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{at}</span>;
  const isToday = moment.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={`${full.format(moment)} (${at})`} className="nowrap">
      {exact ? full.format(moment) : isToday ? clock.format(moment) : day.format(moment)}
    </time>
  );
}
