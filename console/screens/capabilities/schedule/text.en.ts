export const scheduleText = {
  tab: 'Jobs',
  empty: 'The live app has no schedules',
  emptyHint: 'Ask for something that happens at set times, such as a reminder every Monday.',
  every: (repeat: string) => (/[*]/.test(repeat) ? repeat : `every ${repeat}`),
  next: 'next',
  paused: 'paused',
  never: 'has not run yet',
  states: { ok: 'ran', failed: 'failed', skipped: 'skipped' },
  took: (duration: string) => `took ${duration}`,
}
