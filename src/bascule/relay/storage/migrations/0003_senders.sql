-- How many messages a person sent in the latest minute in which they sent one, counted by all nodes together.

CREATE TABLE senders (
    platform TEXT NOT NULL,
    actor    TEXT NOT NULL,
    minute   BIGINT NOT NULL,   -- since 1970
    sent     BIGINT NOT NULL,
    PRIMARY KEY (platform, actor)
);
CREATE INDEX old_senders ON senders (minute);
