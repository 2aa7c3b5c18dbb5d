import { describeFailure } from '../../../api/request/failures.ts'
import { FailureReference } from '../../../ui/page/failure.tsx'

/**
 * Says why a change of a capability was refused, with the request id. A refusal keeps the path of the setting that it is about, because
 * none of the form's fields need be that setting.
 */
export function SaveFailure({ error }: { error: Error }) {
  const failure = describeFailure(error)
  return (
    <div role="alert" className="w-full space-y-1 text-[13px] text-removed">
      <p className="break-words">{failure.field === null ? failure.sentence : error.message}</p>
      <FailureReference failure={failure} />
    </div>
  )
}
