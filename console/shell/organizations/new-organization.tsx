import { SlipwayError } from '@slipway/sdk/errors.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createOrganization } from '../../api/organization/organizations.ts'
import { href } from '../../routes.ts'
import { organizationsText as words } from '../../text/organizations.en.ts'
import { focusField } from '../../ui/browser/focus-field.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { slugOf } from './order.ts'
import { openInOrganization } from './switch-organization.ts'

const SLUG_TRIES = 20

/** Creates an organization. Derives the short name from the name, and appends a number when the short name is taken. */
async function createWithFreeSlug(name: string) {
  for (let n = 1; ; n++) {
    try {
      return await createOrganization({ name, slug: slugOf(name, n) })
    } catch (error) {
      const isTaken = error instanceof SlipwayError && error.code === 'organization_already_exists'
      if (!isTaken || n === SLUG_TRIES) throw error
    }
  }
}

export function NewOrganization({
  cancel,
  arrive = openInOrganization,
}: {
  cancel?: React.ReactNode
  /** Opens the new organization. Tests replace it. */
  arrive?: typeof openInOrganization
}) {
  const [problem, setProblem] = useState<string>()
  // Remembers the created organization: when opening it fails, the next attempt opens it instead of creating another one.
  const made = useRef<string | null>(null)
  const create = useMutation({
    mutationFn: async (name: string) => {
      made.current ??= (await createWithFreeSlug(name)).id
      await arrive(made.current, href.home())
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setProblem(name === '' ? words.nameMissing : undefined)
    if (name === '') focusField(event.currentTarget, 'name')
    else if (!create.isPending) create.mutate(name)
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      {create.isError && <FailureNote title={words.failed} error={create.error} takeFocus />}
      <TextField
        name="name"
        size="lg"
        label={words.name}
        maxLength={80}
        autoComplete="organization"
        placeholder={words.namePlaceholder}
        {...(problem ? { error: problem } : { description: words.nameHint })}
      />
      <div className="flex flex-wrap justify-end gap-2">
        {cancel}
        <Button type="submit" variant="primary" loading={create.isPending}>
          {words.create}
        </Button>
      </div>
    </form>
  )
}
