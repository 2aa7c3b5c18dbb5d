import { Sidebar, useSidebar } from '@cloudflare/kumo/components/sidebar'
import {
  BookOpenTextIcon,
  ClockCounterClockwiseIcon,
  GearSixIcon,
  SquaresFourIcon,
} from '@phosphor-icons/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { projectsQuery } from '../../api/project/projects.ts'
import { meQuery } from '../../api/account/session.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { Mark, Wordmark } from '../../ui/page/brand.tsx'
import { ProjectTile } from '../../ui/page/project-tile.tsx'
import { useShownPath } from '../../ui/page/shown-path.ts'
import { deferredComponent } from '../deferred-component.ts'
import { OrganizationLabel } from '../organizations/organization-avatar.tsx'
import { ACCOUNT_BUTTON, AccountAvatar } from './account-avatar.tsx'
import { HelpItem } from './help-button.tsx'
import { NavItem } from './nav-item.tsx'
import { NavTips } from './nav-tips.tsx'
import { SearchItem } from './search-button.tsx'

// The code of the two menus would be a fifth of what the first page loads, so it is loaded afterwards.
// Placeholders reserve their space.
const AccountMenu = deferredComponent(async () => (await import('./account-menu.tsx')).AccountMenu)
const OrganizationSwitcher = deferredComponent(
  async () => (await import('../organizations/switcher.tsx')).OrganizationSwitcher,
)

// Loaded on demand: its icons have as much code as a whole page, and the first page shows no project sections.
const ProjectSections = lazy(() =>
  import('./project-sections.tsx').then((module) => ({ default: module.ProjectSections })),
)

const PROJECT_PAGE = /^\/projects\/./
const RECENT_PROJECTS_MAX = 5

/** The navigation: organization, main pages, sections of the open project, recent projects and account. Folded it shows icons only. */
export function Navigation() {
  const { isMobile, state } = useSidebar()
  const pathname = useShownPath()
  const folded = state === 'collapsed' && !isMobile
  return (
    <Sidebar aria-label={text.product}>
      <SheetCloser />
      <Sidebar.Header className="gap-2.5 border-b-0">
        <a
          href={href.projects()}
          aria-label={text.product}
          className="flex items-center gap-2.5 rounded-md px-0.5 text-kumo-strong"
        >
          <Mark className="size-7 shrink-0" />
          {!folded && <Wordmark />}
        </a>
      </Sidebar.Header>
      {/* The browser scrolls this area, because the library's scroll area measures itself on every navigation. */}
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-[11px] py-3 [scrollbar-width:thin] group-data-[state=collapsed]/sidebar:[scrollbar-width:none] group-not-data-[state=collapsed]/sidebar:px-3.5">
        <OrganizationPart folded={folded} />
        <NavTips label={text.nav.label} isFolded={folded}>
          <Sidebar.Group>
            <Sidebar.Menu>
              <SearchItem />
              <NavItem
                to={href.projects()}
                icon={SquaresFourIcon}
                label={text.nav.projects}
                current={pathname === '/projects'}
              />
              <NavItem
                to={href.activity()}
                icon={ClockCounterClockwiseIcon}
                label={text.nav.activity}
                current={pathname === href.activity()}
              />
              <NavItem
                to={href.settings()}
                icon={GearSixIcon}
                label={text.nav.settings}
                current={pathname.startsWith(href.settings())}
              />
              <NavItem to="/docs" icon={BookOpenTextIcon} label={text.nav.docs} current={false} />
              <HelpItem />
            </Sidebar.Menu>
          </Sidebar.Group>
          {/* Both are shown together, because the project's sections would move the list below when they are added later. */}
          <Suspense fallback={null}>
            {PROJECT_PAGE.test(pathname) && <ProjectSections pathname={pathname} />}
            <RecentProjects pathname={pathname} />
          </Suspense>
        </NavTips>
      </div>
      <Sidebar.Footer
        className={`gap-1 px-2! ${folded ? 'h-auto flex-col-reverse py-2' : 'h-14 justify-between'}`}
      >
        <AccountPart folded={folded} />
        {!isMobile && <FoldTrigger folded={folded} />}
      </Sidebar.Footer>
    </Sidebar>
  )
}

/**
 * On a narrow window, closes the navigation as soon as one of its links is clicked, and not only when the next page has
 * loaded.
 */
function SheetCloser() {
  const { setOpenMobile } = useSidebar()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const closeSheet = useEffectEvent(() => setOpenMobile(false))
  useEffect(() => closeSheet(), [path])
  return null
}

function FoldTrigger({ folded }: { folded: boolean }) {
  const label = folded ? text.nav.unfold : text.nav.fold
  return <Sidebar.Trigger aria-label={label} title={label} />
}

function RecentProjects({ pathname }: { pathname: string }) {
  const projects = useInfiniteQuery(projectsQuery())
  const recent = (projects.data?.pages[0]?.items ?? []).slice(0, RECENT_PROJECTS_MAX)
  if (recent.length === 0) return null
  return (
    <Sidebar.Group>
      <Sidebar.GroupLabel>{text.nav.recent}</Sidebar.GroupLabel>
      <Sidebar.Menu>
        {recent.map((project) => (
          <NavItem
            key={project.id}
            to={href.project(project.id)}
            icon={<ProjectTile id={project.id} name={project.name} size="sm" />}
            label={project.name}
            current={pathname === href.project(project.id)}
          />
        ))}
      </Sidebar.Menu>
    </Sidebar.Group>
  )
}

function OrganizationPart({ folded }: { folded: boolean }) {
  const me = useQuery(meQuery()).data
  return (
    <div className={`min-h-11 pb-2 ${folded ? '' : 'px-2'}`}>
      {me && (
        <Suspense fallback={<OrganizationLabel organization={me.organization} folded={folded} />}>
          <OrganizationSwitcher me={me} folded={folded} />
        </Suspense>
      )}
    </div>
  )
}

function AccountPart({ folded }: { folded: boolean }) {
  const user = useQuery(meQuery()).data?.user
  // Remember a press on the placeholder, so that the menu opens as soon as it is loaded.
  const [isAsked, setAsked] = useState(false)
  if (!user) return null
  const face = (
    <button type="button" className={ACCOUNT_BUTTON} onClick={() => setAsked(true)}>
      <AccountAvatar user={user} folded={folded} />
    </button>
  )
  return (
    <Suspense fallback={face}>
      <AccountMenu user={user} folded={folded} startsOpen={isAsked} />
    </Suspense>
  )
}
