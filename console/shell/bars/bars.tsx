import {
  ArrowsClockwiseIcon,
  CpuIcon,
  HourglassMediumIcon,
  type Icon,
  WifiSlashIcon,
} from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { modelConnectionsQuery } from '../../api/organization/connections.ts'
import { href } from '../../routes.ts'
import { shellText } from '../../text/shell.en.ts'
import { type BarKind, chooseBar } from './bar-choice.ts'
import { connection } from './browser-connection.ts'
import { useStore } from '../../lib/store.ts'
import { useOutdated } from './use-outdated.ts'
import { Button } from '../../ui/controls/button.tsx'

const BAR_STYLES: Record<BarKind, { icon: Icon; tint: string }> = {
  offline: { icon: WifiSlashIcon, tint: 'bg-kumo-banner-warning' },
  away: { icon: HourglassMediumIcon, tint: 'bg-kumo-banner-warning' },
  noModel: { icon: CpuIcon, tint: 'bg-tide-tint' },
  outdated: { icon: ArrowsClockwiseIcon, tint: 'bg-tide-tint' },
}

/** The notice above the page; empty when there is nothing to say. A status, so that screen readers announce a change. */
export function Bars() {
  const isAtModels = useLocation({ select: ({ pathname }) => pathname === href.models() })
  const state = useStore(connection)
  const models = useQuery({ ...modelConnectionsQuery(), staleTime: 60_000 }).data
  const isOutdated = useOutdated()
  // The page for connecting models shows by itself that no model is connected.
  const hasModel = models && !isAtModels ? models.length > 0 : null
  const kind = chooseBar({ connection: state, hasModel, isOutdated })
  return <div role="status">{kind && <NoticeBar kind={kind} />}</div>
}

function NoticeBar({ kind }: { kind: BarKind }) {
  const { icon: Icon, tint } = BAR_STYLES[kind]
  return (
    <div
      className={`flex min-h-10 flex-wrap items-center justify-center gap-x-3 gap-y-1 border-b border-kumo-line px-4 py-1.5 text-kumo-default ${tint}`}
    >
      <p className="flex items-center gap-2">
        <Icon className="size-[18px] shrink-0" aria-hidden="true" />
        {shellText.bars[kind]}
      </p>
      {kind === 'noModel' && (
        <a href={href.models()} className="font-medium text-kumo-link underline underline-offset-3">
          {shellText.bars.connectModel}
        </a>
      )}
      {kind === 'outdated' && (
        <Button size="sm" onClick={() => location.reload()}>
          {shellText.bars.reload}
        </Button>
      )}
    </div>
  )
}
