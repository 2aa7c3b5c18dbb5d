import { Outlet } from '@tanstack/react-router'
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx'
import { useShownPath } from '../../ui/page/shown-path.ts'
import { useMedia } from '../../ui/browser/use-media.ts'
import { SectionList, SectionMenu } from './section-list.tsx'

export function Settings() {
  const pathname = useShownPath()
  const hasRoom = useMedia('(min-width: 1024px)')
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-4 pb-16 sm:px-8 sm:pt-8 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-x-10 lg:pt-12">
      {hasRoom ? <SectionList pathname={pathname} /> : <SectionMenu pathname={pathname} />}
      <div className="max-w-3xl min-w-0">
        <PaneBoundary key={pathname}>
          <Outlet />
        </PaneBoundary>
      </div>
    </div>
  )
}
