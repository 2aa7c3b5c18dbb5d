export const aiText = {
  tab: 'Budget',
  spend: 'Runs this month',
  spendHint: 'Each call to a model counts: from the live app, from its preview and from this page.',
  monthOf: (month: string) =>
    new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
  usedOf: (used: number, limit: number) =>
    `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} runs`,
  left: (left: number, day: string) =>
    `${left.toLocaleString('en')} left. The count starts again on ${day} (UTC).`,
  usedUp: (day: string) => `Used up. The app is refused until ${day} (UTC).`,
  tryOut: 'Try the model',
  tryOutHint: 'A prompt that you try here counts as one run. The response is not stored.',
  prompt: 'Prompt',
  noRunsLeft: 'The runs of this month are used up.',
  ask: 'Ask',
  asking: 'Waiting for the model. This may take a minute.',
  answer: 'Answer',
  noText: 'The model returned no text.',
  failed: 'No usable response',
}
