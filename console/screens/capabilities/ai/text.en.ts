export const aiText = {
  tab: 'Budget',
  spend: 'Runs this month',
  spendHint: 'Each time a model is asked counts, by the live app, by its preview and here.',
  monthOf: (month: string) =>
    new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    }),
  usedOf: (used: number, limit: number) =>
    `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} runs`,
  left: (left: number, day: string) => `${left.toLocaleString('en')} left. It begins again on ${day} (UTC).`,
  usedUp: (day: string) => `Used up. The app is refused until ${day} (UTC).`,
  tryOut: 'Try the model',
  tryOutHint: 'A prompt of yours costs one run, and its answer is not stored.',
  prompt: 'Prompt',
  noRunsLeft: 'The runs of this month are used up.',
  ask: 'Ask',
  asking: 'The model answers. That may take a minute.',
  answer: 'Answer',
  noText: 'The model answered without text.',
  failed: 'The model gave no answer',
}
