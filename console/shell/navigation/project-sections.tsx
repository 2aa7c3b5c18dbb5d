import { Sidebar } from '@cloudflare/kumo/components/sidebar'
import {
  CodeBlockIcon,
  CodeIcon,
  GitCommitIcon,
  GlobeIcon,
  HammerIcon,
  ImagesIcon,
  PuzzlePieceIcon,
  RocketLaunchIcon,
  SlidersHorizontalIcon,
  ChartBarIcon,
} from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { projectQuery } from '../../api/project/projects.ts'
import { href } from '../../routes.ts'
import { codeText, versionsText } from '../../text/code.en.ts'
import { text } from '../../text/en.ts'
import { projectSettingsText } from '../../text/project-settings.en.ts'
import { NavItem } from './nav-item.tsx'

/** The pages of a project. The navigation and the command palette list them in this order. */
export const PROJECT_SECTIONS = [
  { at: (projectId: string) => href.project(projectId), icon: CodeBlockIcon, label: text.nav.workspace },
  { at: (projectId: string) => href.code(projectId), icon: CodeIcon, label: codeText.title },
  {
    at: (projectId: string) => href.versions(projectId),
    icon: GitCommitIcon,
    label: versionsText.title,
  },
  { at: (projectId: string) => href.runs(projectId), icon: HammerIcon, label: text.nav.runs },
  { at: href.capabilities, icon: PuzzlePieceIcon, label: text.nav.capabilities },
  { at: href.assets, icon: ImagesIcon, label: text.nav.assets },
  { at: href.ship, icon: RocketLaunchIcon, label: text.nav.ship },
  { at: href.insights, icon: ChartBarIcon, label: text.nav.insights },
  { at: href.domain, icon: GlobeIcon, label: text.nav.domain },
  { at: href.projectSettings, icon: SlidersHorizontalIcon, label: projectSettingsText.title },
]

/** Links to the pages of the project that the path names. Renders nothing for a project that cannot be read. */
export function ProjectSections({ pathname }: { pathname: string }) {
  const [, encodedId] = /^\/projects\/([^/]+)/.exec(pathname) ?? []
  return encodedId === undefined ? null : (
    <SectionLinks projectId={decodeURIComponent(encodedId)} pathname={pathname} />
  )
}

function SectionLinks({ projectId, pathname }: { projectId: string; pathname: string }) {
  const { data: project, isPending } = useQuery(projectQuery(projectId))
  if (project === undefined && !isPending) return null
  return (
    <Sidebar.Group>
      {/* While the name loads, a blank reserves its line, so that the projects below do not move. */}
      <Sidebar.GroupLabel>{project?.name ?? '\u00a0'}</Sidebar.GroupLabel>
      <Sidebar.Menu>
        {PROJECT_SECTIONS.map(({ at, icon, label }) => (
          <NavItem
            key={label}
            to={at(projectId)}
            icon={icon}
            label={label}
            current={isCurrent(pathname, at(projectId), href.project(projectId))}
          />
        ))}
      </Sidebar.Menu>
    </Sidebar.Group>
  )
}

/**
 * A section is current on its page and all pages below it. The workspace is current only on its own page, because the
 * paths of all other sections begin with its path.
 */
const isCurrent = (pathname: string, at: string, workspace: string) =>
  pathname === at || (at !== workspace && pathname.startsWith(`${at}/`))
