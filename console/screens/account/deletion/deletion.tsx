import { deletionText as words } from '../../../text/deletion.en.ts'
import { PageHeading, usePageTitle } from '../../../ui/page/page.tsx'
import { DeletionParts } from './deletion-parts.tsx'

export function Deletion() {
  usePageTitle(words.title)
  return (
    <div className="mx-auto w-full max-w-2xl px-4 pt-6 pb-16 sm:px-8 sm:pt-10">
      <PageHeading className="mb-6">{words.title}</PageHeading>
      <DeletionParts />
    </div>
  )
}
