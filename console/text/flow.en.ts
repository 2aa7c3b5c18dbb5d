/** The words of the page for the runs of an app's flows. */
export const flowText = {
  refresh: 'Look again',
  empty: 'No flow has run yet',
  emptyHint:
    'Each run of the live app is listed here with its steps. Ask in a ticket for work of several steps, like an order that waits for an approval.',
  shown: (count: number, more: boolean) =>
    `${count.toLocaleString('en')}${more ? '+' : ''} ${count === 1 && !more ? 'run' : 'runs'}, the newest first`,
  states: {
    queued: 'is queued',
    running: 'is running',
    waiting: 'is waiting',
    paused: 'is paused',
    complete: 'is complete',
    failed: 'has failed',
    cancelled: 'was cancelled',
  },
  started: 'started',
  ended: 'ended',
  flow: (name: string) => `Flow ${name}`,
  unknownFlow: 'Not started by the app',
  stepsOf: (id: string) => `Steps of ${id}`,
  noSteps: 'No step has begun.',
  kinds: { do: 'step', sleep: 'sleep', wait: 'waits for a signal' },
  stepStates: { running: 'runs', waiting: 'waits', done: 'done', failed: 'not done' },
  attempts: (count: number) => `${count} attempts`,
  cancel: 'Cancel run',
  cancelAsk: (id: string) => `Cancel the run ${id}?`,
  cancelConsequence: 'It ends where it is. Steps that are done stay done, and it cannot be continued.',
  keep: 'Keep it',
}
