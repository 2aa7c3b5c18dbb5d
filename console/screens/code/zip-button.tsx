import { FileZipIcon } from '@phosphor-icons/react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { projectQuery } from '../../api/project/projects.ts'
import { readSourceZip } from '../../api/project/versions.ts'
import { notifyFailure } from '../../shell/toasts/toasts.ts'
import { codeText as words } from '../../text/code.en.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { saveFile } from '../../ui/browser/save-file.ts'

/**
 * Downloads the newest version as a ZIP file. Uses a request instead of a link, because a failed link would
 * show a page of JSON.
 */
export function ZipButton({ projectId, isNewest }: { projectId: string; isNewest: boolean }) {
  const slug = useQuery(projectQuery(projectId)).data?.slug ?? projectId
  const zip = useMutation({
    mutationFn: () => readSourceZip(projectId),
    onSuccess: (bytes) => saveFile(`${slug}.zip`, bytes),
    onError: notifyFailure,
  })
  return (
    <ReasonButton
      size="sm"
      icon={<FileZipIcon />}
      loading={zip.isPending}
      reason={isNewest ? null : words.zipWhy}
      onClick={() => zip.mutate()}
    >
      {words.zip}
    </ReasonButton>
  )
}
