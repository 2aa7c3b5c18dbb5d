import { CaretRightIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isNotFound } from '../api/request/query-client.ts'
import { projectQuery } from '../api/project/projects.ts'
import { href } from '../routes.ts'
import { NotFound } from './not-found.tsx'
import { text } from '../text/en.ts'
import { PageHeading, usePageTitle } from '../ui/page/page.tsx'
import { PaneBoundary } from '../ui/page/pane-boundary.tsx'

/** A link above the title of a page. */
export interface Breadcrumb {
  to: string
  label: string
}

interface SectionPageProps {
  projectId: string
  title: string
  lead?: ReactNode
  /** The links to the pages between the project and the current page. */
  crumbs?: Breadcrumb[]
  action?: ReactNode
  /** Whether the page uses the full width, as grids need. */
  wide?: boolean
  /** Whether the page is as high as the window and scrolls inside. */
  fills?: boolean
  children: ReactNode
}

/**
 * The frame of a page of a project: breadcrumb, title, lead and content. Shows `NotFound` when the project does not exist, and contains
 * errors of the content.
 */
export function SectionPage(props: SectionPageProps) {
  const project = useQuery(projectQuery(props.projectId))
  return isNotFound(project.error) ? (
    <NotFound />
  ) : (
    <NamedSection
      {...props}
      name={project.data?.name ?? ''}
      // A project that cannot be read still has its link.
      crumb={project.data?.name ?? (project.isError ? text.nav.workspace : '')}
    />
  )
}

/**
 * The classes of the first two crumbs. On a phone the link to the list of projects is hidden, because the phone's
 * navigation has the same link. When the space is short, the project's name is truncated first.
 */
const CRUMB_CLASSES = ['shrink-0 max-sm:hidden', 'min-w-0']

function NamedSection(props: SectionPageProps & { name: string; crumb: string }) {
  const { name } = props
  usePageTitle(props.title, ...(name ? [name] : []))
  const crumbs = [
    { to: href.projects(), label: text.projects.title },
    { to: href.project(props.projectId), label: props.crumb },
    ...(props.crumbs ?? []),
  ]
  return (
    <div
      className={`mx-auto w-full px-4 sm:px-8 ${props.fills ? 'flex h-full flex-col pt-5 pb-4' : `pt-6 pb-16 sm:pt-9 ${props.wide ? 'max-w-7xl' : 'max-w-4xl'}`}`}
    >
      <nav aria-label={text.nav.breadcrumb} className="mb-3">
        {/* The crumbs keep the height of one line, so that the project's name does not move the page when it is loaded. */}
        <ol className="flex min-h-6 items-center gap-1.5 text-[13px] text-kumo-subtle">
          {crumbs.map((crumb, at) => (
            <li
              key={crumb.to}
              className={`flex items-center gap-1.5 ${CRUMB_CLASSES[at] ?? 'shrink-0 max-sm:max-w-32'}`}
            >
              {crumb.label !== '' && (
                <a
                  href={crumb.to}
                  className="block max-w-56 min-w-0 truncate rounded-sm leading-6 hover:text-kumo-default hover:underline"
                >
                  {crumb.label}
                </a>
              )}
              <CaretRightIcon className="size-3 shrink-0" aria-hidden="true" />
            </li>
          ))}
          <li aria-current="page" className="max-w-56 truncate text-kumo-default">
            {props.title}
          </li>
        </ol>
      </nav>
      <div
        className={`flex flex-wrap items-start justify-between gap-x-6 gap-y-3 ${props.fills ? 'mb-4' : 'mb-6'}`}
      >
        <div className="min-w-0 flex-1 basis-72 space-y-1">
          <PageHeading className="break-words">{props.title}</PageHeading>
          {props.lead && <div className="text-kumo-subtle">{props.lead}</div>}
        </div>
        {props.action}
      </div>
      <PaneBoundary>{props.children}</PaneBoundary>
    </div>
  )
}
