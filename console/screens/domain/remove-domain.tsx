import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { queryKeys } from '../../api/query-keys.ts'
import { removeDomain, storeDomain } from '../../api/project/domain.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { Button } from '../../ui/controls/button.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)

/** Removes the domain after the person has typed its name. */
export function RemoveDomain({ projectId, hostname }: { projectId: string; hostname: string }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => removeDomain(projectId),
    onSuccess: async (domain) => {
      setAsking(false)
      await storeDomain(client, projectId, domain)
      void client.invalidateQueries({ queryKey: queryKeys.projects.all })
    },
  })
  return (
    <>
      <Button size="sm" variant="secondary-destructive" onClick={() => setAsking(true)}>
        {cloudText.domain.remove}
      </Button>
      {isAsking && (
        <Suspense fallback={null}>
          <Confirm
            title={cloudText.domain.removeTitle(hostname)}
            consequence={cloudText.domain.removeConsequence(hostname)}
            submit={cloudText.domain.remove}
            typed={hostname}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
