import { useSidebar } from '@cloudflare/kumo/components/sidebar'
import { BrowserIcon, DotsThreeIcon, HammerIcon, ListChecksIcon } from '@phosphor-icons/react'
import type { ReactNode } from 'react'
import { PANES, type Pane } from '../../routes.ts'
import { workText } from '../../text/workspace.en.ts'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'

const ICONS: Record<Pane, ReactNode> = {
  tickets: <ListChecksIcon />,
  work: <HammerIcon />,
  preview: <BrowserIcon />,
}

/** Shows one pane at a time. The tabs are at the bottom, where a thumb reaches them. */
export function NarrowPanes(props: { panes: Record<Pane, ReactNode>; pane: Pane; go: NavigateWorkspace }) {
  const { setOpenMobile } = useSidebar()
  return (
    <>
      {PANES.map((pane) => (
        // Hidden panes stay mounted, so that the preview keeps its page and fields keep their cursor.
        <section
          key={pane}
          aria-label={workText.workspace.panes[pane]}
          className={pane === props.pane ? 'flex min-h-0 min-w-0 flex-1 flex-col' : 'hidden'}
        >
          {props.panes[pane]}
        </section>
      ))}
      <nav
        aria-label={workText.workspace.panesLabel}
        className="grid shrink-0 grid-cols-4 border-t border-kumo-line bg-kumo-base pb-[env(safe-area-inset-bottom)]"
      >
        {PANES.map((pane) => (
          <TabButton
            key={pane}
            icon={ICONS[pane]}
            label={workText.workspace.panes[pane]}
            current={pane === props.pane}
            onClick={() => props.go({ pane })}
          />
        ))}
        <TabButton
          icon={<DotsThreeIcon weight="bold" />}
          label={workText.workspace.panes.more}
          current={false}
          onClick={() => setOpenMobile(true)}
        />
      </nav>
    </>
  )
}

function TabButton(props: { icon: ReactNode; label: string; current: boolean; onClick: () => void }) {
  return (
    <button
      type="button"
      aria-current={props.current ? 'page' : undefined}
      onClick={props.onClick}
      className={`flex min-h-14 cursor-pointer flex-col items-center justify-center gap-0.5 text-xs -outline-offset-2 [&_svg]:size-5 ${props.current ? 'font-semibold text-tide' : 'text-kumo-subtle'}`}
    >
      <span aria-hidden="true">{props.icon}</span>
      {props.label}
    </button>
  )
}
