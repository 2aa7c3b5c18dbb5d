/** The strings for the parts of the app shell that load after the first page is shown. */
export const shellText = {
  toasts: { label: 'Messages', undo: 'Undo', dismiss: 'Dismiss' },
  news: {
    built: (title: string) => `Built: ${title}`,
    replied: (title: string) => `Answered: ${title}`,
    asking: (title: string) => `Needs your answer: ${title}`,
    failed: (title: string) => `Build failed: ${title}`,
    open: 'Open',
  },
  bars: {
    offline: 'You are offline. Your work is kept; this page continues when the network is back.',
    away: 'The service does not respond; it may be restarting. Builds continue, and so does this page, by itself.',
    noModel: 'No model is connected, so nothing can be planned or built.',
    connectModel: 'Connect a model',
    outdated: 'A new version of this console is ready. Reload when it suits you.',
    reload: 'Reload',
  },
  search: 'Search',
}
