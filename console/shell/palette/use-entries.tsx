import {
  ClockCounterClockwiseIcon,
  LifebuoyIcon,
  CpuIcon,
  DesktopIcon,
  KeyboardIcon,
  KeyIcon,
  MoonIcon,
  PlugsConnectedIcon,
  PlusIcon,
  PuzzlePieceIcon,
  RocketLaunchIcon,
  SquaresFourIcon,
  SunIcon,
} from '@phosphor-icons/react'
import { CAPABILITIES } from '@slipway/sdk/capabilities.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { projectSearchQuery, ticketSearchQuery } from '../../api/project/search-queries.ts'
import { projectQuery } from '../../api/project/projects.ts'
import { href } from '../../routes.ts'
import { truncateSearch } from '../../api/project/project-search.ts'
import { StatusIcon } from '../../ui/page/status-icon.tsx'
import { helpText } from '../../text/help.en.ts'
import { text } from '../../text/en.ts'
import { paletteText } from '../../text/palette.en.ts'
import { ProjectTile } from '../../ui/page/project-tile.tsx'
import { PROJECT_SECTIONS } from '../navigation/project-sections.tsx'
import { SETTINGS_SECTIONS } from '../navigation/settings-sections.ts'
import { chooseTheme } from '../theme.ts'
import { currentCommands } from './commands.ts'
import { type PaletteEntry, searchEntries } from './entries.ts'
import { readRecentPages } from './recent.ts'

const RECENT_SHOWN = 5

export function useEntries(options: {
  pathname: string
  typed: string
  /** The text for which the service searches. It changes when the typing pauses. */
  asked: string
  onShowShortcuts: () => void
}): PaletteEntry[] {
  const { pathname, typed, asked, onShowShortcuts } = options
  const projectId = projectIn(pathname)
  const project = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== null }).data
  const q = truncateSearch(asked)
  const { data: projects, isPlaceholderData: areProjectsOld } = useQuery(projectSearchQuery(q))
  const { data: tickets, isPlaceholderData: areTicketsOld } = useQuery({
    ...ticketSearchQuery(projectId ?? '', q),
    enabled: projectId !== null && q !== '',
  })
  const fixed = useMemo(
    () => [
      ...currentCommands().map(commandEntry),
      ...(project ? projectEntries(project.id, project.name) : []),
      ...generalActions(onShowShortcuts),
      ...placeEntries(),
    ],
    [project, onShowShortcuts],
  )
  const found: PaletteEntry[] = [
    ...(projects?.items ?? []).map(({ id, name }) => ({
      id: `project ${id}`,
      group: 'projects' as const,
      label: name,
      icon: <ProjectTile id={id} name={name} size="sm" />,
      to: href.project(id),
    })),
    ...(q === '' ? [] : (tickets?.items ?? [])).map(({ id, title, status }) => ({
      id: `ticket ${id}`,
      group: 'tickets' as const,
      label: title,
      ...(project && { detail: project.name }),
      icon: <StatusIcon status={status} className="size-[18px]" />,
      to: href.project(projectId ?? '', { ticket: id, tab: 'ticket', pane: 'work' }),
    })),
  ]
  if (typed.trim() !== '') {
    // Until the service responds to the current text, the results belong to an earlier text, so filter them here.
    const isOld = asked !== typed || areProjectsOld || areTicketsOld
    return [...searchEntries(fixed, typed), ...(isOld ? searchEntries(found, typed) : found)]
  }
  const recent = recentEntries(pathname)
  const known = new Set(recent.map(({ to }) => to))
  // While nothing is typed, leave out the entries of capabilities and themes. There are so many that they would hide all other entries.
  const atFirst = fixed.filter(({ id }) => !/^(set up|theme) /.test(id))
  return [...recent, ...atFirst, ...found.filter(({ to }) => !known.has(to))]
}

function projectIn(pathname: string): string | null {
  const [, id] = /^\/projects\/([^/]+)/.exec(pathname) ?? []
  return id === undefined ? null : decodeURIComponent(id)
}

const recentEntries = (pathname: string): PaletteEntry[] =>
  readRecentPages()
    .filter(({ to }) => to.split('?')[0] !== pathname)
    .slice(0, RECENT_SHOWN)
    .map(({ to, label }) => ({
      id: `recent ${to}`,
      group: 'recent',
      label,
      icon: <ClockCounterClockwiseIcon />,
      to,
    }))

const commandEntry = (command: ReturnType<typeof currentCommands>[number]): PaletteEntry => ({
  id: `command ${command.id}`,
  group: 'actions',
  label: command.words,
  icon: command.icon,
  reason: command.reason,
  act: command.run,
})

function projectEntries(projectId: string, name: string): PaletteEntry[] {
  const ship: PaletteEntry = {
    id: 'ship',
    group: 'actions',
    label: paletteText.actions.ship,
    detail: name,
    keywords: paletteText.keywords.ship,
    icon: <RocketLaunchIcon />,
    to: href.ship(projectId),
  }
  const setUps = Object.entries(CAPABILITIES).map(([key, info]): PaletteEntry => ({
    id: `set up ${key}`,
    group: 'actions',
    label: paletteText.actions.setUp(info.title.charAt(0).toLowerCase() + info.title.slice(1)),
    detail: name,
    keywords: `${key} ${text.nav.capabilities}`,
    icon: <PuzzlePieceIcon />,
    to: href.capability(projectId, key),
  }))
  const sections = PROJECT_SECTIONS.map(({ at, icon: Icon, label }): PaletteEntry => ({
    id: `section ${label}`,
    group: 'places',
    label,
    detail: name,
    icon: <Icon />,
    to: at(projectId),
  }))
  return [ship, ...setUps, ...sections]
}

function generalActions(onShowShortcuts: () => void): PaletteEntry[] {
  const { actions, keywords } = paletteText
  const linkEntry = (
    id: keyof typeof keywords & keyof typeof actions,
    to: string,
    icon: PaletteEntry['icon'],
  ): PaletteEntry => ({
    id,
    group: 'actions',
    label: actions[id],
    keywords: keywords[id],
    icon,
    to,
  })
  const theme = (choice: keyof typeof actions.themes, icon: PaletteEntry['icon']): PaletteEntry => ({
    id: `theme ${choice}`,
    group: 'actions',
    label: actions.themes[choice],
    keywords: keywords.theme,
    icon,
    act: () => chooseTheme(choice),
  })
  return [
    linkEntry('newProject', href.newProject(), <PlusIcon />),
    linkEntry('connectModel', href.models(), <CpuIcon />),
    linkEntry('connectAccounts', href.connections(), <PlugsConnectedIcon />),
    linkEntry('createKey', href.keys(), <KeyIcon />),
    theme('light', <SunIcon />),
    theme('dark', <MoonIcon />),
    theme('system', <DesktopIcon />),
    {
      id: 'shortcuts',
      group: 'actions',
      label: actions.shortcuts,
      keywords: keywords.shortcuts,
      icon: <KeyboardIcon />,
      act: onShowShortcuts,
    },
  ]
}

const placeEntries = (): PaletteEntry[] => [
  placeEntry(text.nav.projects, href.projects(), <SquaresFourIcon />),
  placeEntry(text.nav.activity, href.activity(), <ClockCounterClockwiseIcon />),
  placeEntry(helpText.title, href.help(), <LifebuoyIcon />),
  ...SETTINGS_SECTIONS.map(({ label, to, icon: Icon }) => ({
    ...placeEntry(label, to, <Icon />),
    detail: paletteText.settings,
  })),
]

const placeEntry = (label: string, to: string, icon: PaletteEntry['icon']): PaletteEntry => ({
  id: `place ${to}`,
  group: 'places',
  label,
  icon,
  to,
})
