import { Sidebar } from '@cloudflare/kumo/components/sidebar'
import { Outlet } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { text } from '../text/en.ts'
import { useShownPath } from '../ui/page/shown-path.ts'
import { useMedia } from '../ui/browser/use-media.ts'
import { Bars } from './bars/bars.tsx'
import { InAppShell, isAccountGone } from './in-app-shell.ts'
import { GlobalShortcuts } from './keys/global-shortcuts.tsx'
import { deferredComponent } from './deferred-component.ts'
import { AppDialogs } from './app-dialogs.tsx'
import { MobileBar } from './navigation/mobile-bar.tsx'
import { Navigation } from './navigation/navigation.tsx'

const DeferredShell = deferredComponent(async () => (await import('./deferred-shell.tsx')).DeferredShell)

const SIDEBAR_STORAGE_KEY = 'slipway.sidebar'
/** On a window narrower than this, the navigation is a sheet over the page. */
const SHEET_BELOW_PX = 900
const NARROW_QUERY = `(max-width: ${SHEET_BELOW_PX - 1}px)`

/**
 * The frame of every page with a signed-in user: navigation, notice bar, dialogs and shortcuts around the page. Only the page is shown
 * after the account was deleted.
 */
export function AppShell() {
  // The navigation starts folded in a workspace, which needs the width, and open on other pages. Whether it is open is
  // stored separately for workspaces and for other pages.
  const kind = /^\/projects\/[^/]+$/.test(useShownPath()) ? 'workspace' : 'page'
  const isNarrow = useMedia(NARROW_QUERY)
  const isAlone = useStore(isAccountGone)
  const [isOpen, setOpen] = useState(() => ({
    page: readSidebarOpen('page'),
    workspace: readSidebarOpen('workspace'),
  }))
  const remember = (next: boolean) => {
    // Ignore a close on a narrow window: the library also closes the navigation when the window becomes narrow, which the user did not
    // choose.
    if (matchMedia(NARROW_QUERY).matches) return
    setOpen({ ...isOpen, [kind]: next })
    storeSidebarOpen(kind, next)
  }
  return (
    <Sidebar.Provider
      // On a narrow window the library manages the state of the sheet.
      {...(!isNarrow && { open: isOpen[kind], onOpenChange: remember })}
      mobileBreakpoint={SHEET_BELOW_PX}
      // Do not animate the navigation beside the page: each frame would lay the page out again.
      animationDuration={isNarrow ? 160 : 0}
      className="h-dvh min-h-0! overflow-hidden bg-kumo-canvas"
    >
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-kumo-base focus:px-3 focus:py-2"
      >
        {text.skip}
      </a>
      {!isAlone && <Navigation />}
      <div className="flex min-w-0 flex-1 flex-col">
        {!isAlone && (
          <>
            <Suspense fallback={null}>
              <DeferredShell />
            </Suspense>
            <Bars />
            <GlobalShortcuts />
            <AppDialogs />
            {/* A workspace has a separate bar, in which “More” opens the navigation. */}
            {kind === 'page' && <MobileBar />}
          </>
        )}
        <main
          id="content"
          className="min-h-0 min-w-0 flex-1 overflow-x-hidden overflow-y-auto"
          data-kind={kind}
          // Set an id, because the router otherwise stores the scroll position by the element's index, which changes.
          data-scroll-restoration-id="content"
        >
          <InAppShell value={true}>
            <Outlet />
          </InAppShell>
        </main>
      </div>
    </Sidebar.Provider>
  )
}

function readSidebarOpen(kind: string): boolean {
  try {
    return (localStorage.getItem(`${SIDEBAR_STORAGE_KEY}.${kind}`) ?? (kind === 'page' ? '1' : '0')) === '1'
  } catch {
    return kind === 'page'
  }
}

function storeSidebarOpen(kind: string, open: boolean): void {
  try {
    localStorage.setItem(`${SIDEBAR_STORAGE_KEY}.${kind}`, open ? '1' : '0')
  } catch {
    // Storage is blocked, so the choice is lost when the page closes.
  }
}
