-- What a project sells. Stripe has a copy in each mode whose key is stored, under the same id; a key that comes later gets
-- its copies from here.
create table pay_products (
  org_id text not null,
  project_id text collate "C" not null,
  id text collate "C" primary key,
  name text not null,
  -- In the smallest unit of the currency.
  amount integer not null,
  currency text not null,
  interval text,
  active boolean not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index pay_products_project on pay_products (project_id);

-- Discount codes, kept the same way. The id is that of the coupon behind the code.
create table pay_codes (
  org_id text not null,
  project_id text collate "C" not null,
  id text collate "C" primary key,
  code text not null,
  -- 1250 is 12.5 percent.
  percent_hundredths integer,
  amount_off integer,
  currency text,
  duration text not null,
  max_redemptions integer,
  active boolean not null,
  created_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
create index pay_codes_project on pay_codes (project_id);

-- What the stored keys could not do when they were last checked.
create table pay_key_checks (
  project_id text collate "C" primary key,
  org_id text not null,
  mode text not null,
  -- A JSON list.
  missing text not null,
  checked_at timestamptz(3) not null,
  foreign key (org_id, project_id) references projects (org_id, id) on delete cascade
);
