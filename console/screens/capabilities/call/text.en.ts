export const callText = {
  tab: 'Calls now',
  empty: 'No call right now',
  emptyHint: 'A call appears here as soon as a person of the live app joins one.',
  people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  peopleOf: (title: string) => `People in ${title}`,
  of: (partition: string) => `A room of ${partition}`,
  modes: { mesh: 'between their browsers', sfu: 'through the media server of your account' },
  started: 'began',
  joined: 'joined',
  visitor: 'A visitor',
  gone: 'A removed person',
  listens: 'listens only',
  tracks: {
    audio: ['microphone', 'microphone (muted)'],
    video: ['camera', 'camera (off)'],
    screen: ['screen', 'screen (paused)'],
  },
}
