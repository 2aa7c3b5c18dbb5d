import { LinkButton } from '@cloudflare/kumo/components/button'
import { lazy, Suspense, use } from 'react'
import { hasLoadedUser } from '../api/request/query-client.ts'
import { href } from '../routes.ts'
import { text } from '../text/en.ts'
import { Mark } from '../ui/page/brand.tsx'
import { PageHeading, usePageTitle } from '../ui/page/page.tsx'
import { InAppShell } from './in-app-shell.ts'

const OtherOrganizationNote = lazy(() =>
  import('./organizations/other-organization-note.tsx').then((module) => ({
    default: module.OtherOrganizationNote,
  })),
)

/**
 * The page for an unknown address, and for a project that does not exist. It offers the user's other organizations, because a link may lead
 * to another one.
 */
export function NotFound() {
  usePageTitle(text.notFound.title)
  const Place = use(InAppShell) ? 'div' : 'main'
  return (
    <Place className="grid min-h-[70dvh] min-w-0 flex-1 place-items-center px-6 py-10">
      <div className="flex max-w-sm flex-col items-center gap-3 text-center">
        <Mark className="size-11" />
        <PageHeading>{text.notFound.title}</PageHeading>
        <p className="text-kumo-subtle">{text.notFound.sentence}</p>
        <LinkButton variant="primary" href={href.projects()}>
          {text.notFound.action}
        </LinkButton>
        {hasLoadedUser() && (
          <Suspense fallback={null}>
            <OtherOrganizationNote />
          </Suspense>
        )}
      </div>
    </Place>
  )
}
