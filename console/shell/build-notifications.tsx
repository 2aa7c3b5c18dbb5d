import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { changedBy, invalidateAll } from '../api/query-keys.ts'
import { type AttentionBuild, attentionQuery } from '../api/project/attention.ts'
import { href } from '../routes.ts'
import { shellText } from '../text/shell.en.ts'
import { setTitleCount } from '../ui/page/page.tsx'
import { useShownPath } from '../ui/page/shown-path.ts'
import { UnseenBuilds } from './unseen-builds.ts'
import { notify } from './toasts/toasts.ts'

/** The maximum number of messages at once; more would cover each other. */
const MESSAGES_MAX = 3

/**
 * Announces builds that ended while another page was open: with a message that links to the build, and with a count in the tab's title
 * until the user opens the project. Refetches what the build has changed.
 */
export function BuildNotifications() {
  const client = useQueryClient()
  const router = useRouter()
  const items = useQuery(attentionQuery()).data
  const path = useShownPath()
  const known = useRef<Set<string> | null>(null)
  const untold = useRef<AttentionBuild[]>([])

  const isHere = ({ projectId }: AttentionBuild) => path === href.project(projectId)
  const isWatched = (item: AttentionBuild) =>
    !document.hidden && isHere(item) && router.latestLocation.search.ticket === item.ticketId
  const tell = useEffectEvent(() => {
    if (!items) return
    const news = new UnseenBuilds()
    // While the tab is hidden, only the count is shown. The messages wait until the tab is visible.
    if (!document.hidden) {
      const ids = new Set(news.unseen(items).map(({ runId }) => runId))
      const isNews = (item: AttentionBuild) => ids.has(item.runId) && !isWatched(item)
      for (const item of untold.current.splice(0).filter(isNews).slice(0, MESSAGES_MAX)) announce(item)
      news.markSeen(items.filter(isHere))
    }
    setTitleCount(news.unseen(items).length)
  })
  const announce = ({ state, title, projectId, ticketId }: AttentionBuild) =>
    notify(shellText.news[state](title), {
      tone: state === 'failed' || state === 'asking' ? 'attention' : 'done',
      action: {
        label: shellText.news.open,
        run: () =>
          router.history.push(href.project(projectId, { ticket: ticketId, tab: 'build', pane: 'work' })),
      },
    })
  const take = useEffectEvent(() => {
    const before = known.current
    known.current = items ? new Set(items.map(({ runId }) => runId)) : null
    const fresh = before === null ? [] : (items ?? []).filter(({ runId }) => !before.has(runId))
    untold.current.push(...fresh)
    // A build on screen refetches this data itself when its event stream ends, so refetch only for other builds.
    if (!fresh.every(isWatched)) void invalidateAll(client, changedBy.buildEnd)
    tell()
  })
  useEffect(() => take(), [items])
  useEffect(() => tell(), [path])
  useEffect(() => {
    const notifyPending = () => tell()
    document.addEventListener('visibilitychange', notifyPending)
    return () => document.removeEventListener('visibilitychange', notifyPending)
  }, [])
  return null
}
