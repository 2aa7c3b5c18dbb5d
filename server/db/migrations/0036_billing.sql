-- Who pays for an organization at the operator's own Stripe account, and what was last read of the subscription.
create table billing_customers (
  -- Refers to no organization: the row is needed to cancel the subscription of one that was deleted.
  org_id text primary key,
  customer_id text not null unique,
  -- The plan that the subscription pays for; the status is the provider's word. Null: there is no subscription.
  plan text,
  status text,
  period_end timestamptz(3),
  ends_with_period boolean not null,
  -- When a payment was first seen to be overdue.
  overdue_since timestamptz(3),
  read_at timestamptz(3) not null,
  created_at timestamptz(3) not null
);

-- Events that were accepted, so that each is acted on once.
create table billing_events (
  id text primary key,
  customer_id text not null,
  created_at timestamptz(3) not null
);
