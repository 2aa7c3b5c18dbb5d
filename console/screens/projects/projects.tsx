import { FolderOpenIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { trafficQuery } from '../../api/project/insights.ts'
import { projectsQuery } from '../../api/project/projects.ts'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import type { ProjectPage } from '../../api/types.ts'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { LoadMore } from '../../ui/lists/load-more.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { PageHeading, usePageTitle } from '../../ui/page/page.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { FIELD_STYLE } from '../../ui/controls/text-field.tsx'
import { useSearchParam } from '../../ui/browser/use-search-param.ts'
import { NewProject } from './new-project.tsx'
import { ProjectCard, type ProjectTraffic } from './project-card.tsx'
import { truncateSearch } from '../../api/project/project-search.ts'

export function Projects() {
  usePageTitle(text.projects.title)
  const { q = '' } = useSearch({ from: '/app/projects' })
  const navigate = useNavigate()
  const search = (words: string) =>
    void navigate({ to: '/projects', search: words === '' ? {} : { q: words }, replace: true })
  const [typed, setTyped] = useSearchParam(q, search, truncateSearch)
  const field = useRef<HTMLInputElement>(null)
  const clearSearch = () => {
    setTyped('')
    // The pressed button disappears, so move the focus to the field.
    field.current?.focus()
  }
  const projects = useInfiniteQuery({ ...projectsQuery(q), placeholderData: keepPreviousData })
  const items = projects.data?.pages.flatMap((page) => page.items) ?? []
  // When a search without results is cleared, the list is empty while all projects are being read. Keep the search field then, because it
  // has the focus.
  const hasAny = items.length > 0 || q !== '' || typed !== '' || projects.isPlaceholderData

  return (
    <div className="mx-auto w-full max-w-4xl px-4 pt-8 pb-16 sm:px-8 sm:pt-14">
      <PageHeading className="sr-only">{text.projects.title}</PageHeading>
      <NewProject />
      <section aria-labelledby="project-list" className="mt-12">
        <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <h2 id="project-list" className="text-[15px] font-semibold text-kumo-strong">
            {text.projects.listTitle}
          </h2>
          {hasAny && (
            <div className="relative w-full sm:w-64">
              <MagnifyingGlassIcon
                className="pointer-events-none absolute top-1/2 left-3 z-10 -translate-y-1/2 text-kumo-subtle"
                aria-hidden="true"
              />
              <input
                ref={field}
                type="search"
                aria-label={text.projects.search}
                placeholder={text.projects.search}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                className={`${FIELD_STYLE} h-9 pl-9 ring-kumo-line`}
              />
            </div>
          )}
        </div>
        <ProjectList projects={projects} q={q} onClear={clearSearch} />
      </section>
    </div>
  )
}

function ProjectList(props: {
  projects: UseInfiniteQueryResult<InfiniteData<ProjectPage>>
  q: string
  onClear: () => void
}) {
  const { projects, q } = props
  const traffic = useQuery(trafficQuery()).data
  // The response leaves out apps without requests, so a missing app had none. When `covered` is 0, the numbers could not be read from the
  // cloud account, so show none.
  const trafficOf = ({ id, lifecycle }: Project): ProjectTraffic | null =>
    lifecycle !== 'live' || !traffic?.covered
      ? null
      : (traffic.projects.find(({ projectId }) => projectId === id) ?? { requests: 0, errors: 0 })
  if (projects.isPending) return <ListSkeleton />
  if (projects.isError && !projects.data) return <LoadFailure query={projects} />
  const items = projects.data.pages.flatMap((page) => page.items)
  // The empty list is the placeholder of the previous search. The projects for the current search are still being read.
  if (items.length === 0 && projects.isPlaceholderData) return <ListSkeleton />
  if (items.length === 0 && q !== '')
    return (
      <EmptyNote
        icon={<MagnifyingGlassIcon />}
        title={text.projects.noMatch(q)}
        hint=""
        level="h3"
        action={<Button onClick={props.onClear}>{text.projects.clearSearch}</Button>}
      />
    )
  if (items.length === 0)
    return (
      <EmptyNote
        icon={<FolderOpenIcon />}
        title={text.projects.empty}
        hint={text.projects.emptyHint}
        level="h3"
      />
    )
  return (
    <>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {items.map((project) => (
          <ProjectCard key={project.id} project={project} traffic={trafficOf(project)} />
        ))}
      </ul>
      {projects.hasNextPage && (
        <LoadMore
          isLoading={projects.isFetchingNextPage}
          error={projects.isFetchNextPageError ? projects.error : null}
          onMore={() => void projects.fetchNextPage()}
        />
      )}
    </>
  )
}

function ListSkeleton() {
  return (
    <Skeleton>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex gap-3 rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
            <Bar className="size-10!" />
            <div className="flex-1 space-y-2.5">
              <Bar className="w-1/2" />
              <Bar className="w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
