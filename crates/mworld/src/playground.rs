//! `mworld playground`: real databases on this machine, for trying out layouts and faults.

pub(crate) mod args;
mod status;

use std::path::Path;

use mworld_playground::{Came, Data, Kind, Playground, PlaygroundError};

use self::args::{PlaygroundCommand, Up};
use crate::cli::Serve;
use crate::config::Flags;
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::layout::apply;
use crate::{demo, output, serve, wait_for};

/// Does what was typed.
pub(crate) fn run(command: &args::Playground) -> Outcome {
    let dir = &command.dir;
    match &command.command {
        PlaygroundCommand::Up(wanted) => up_and_serve(dir, wanted),
        PlaygroundCommand::Status { json } => wait_for(status::run(dir, *json)),
        PlaygroundCommand::Kill(member) => wait_for(async {
            enter(dir)?.kill(&member.name).await.map_err(in_words)?;
            told(&format!("{} is killed", member.name))
        }),
        PlaygroundCommand::Pause(member) => wait_for(async {
            enter(dir)?.pause(&member.name).await.map_err(in_words)?;
            told(&format!("{} stands still", member.name))
        }),
        PlaygroundCommand::Revive(member) => wait_for(async {
            enter(dir)?.revive(&member.name).await.map_err(in_words)?;
            told(&format!("{} is up", member.name))
        }),
        PlaygroundCommand::Down { keep } => {
            wait_for(down(dir, if *keep { Data::Kept } else { Data::Removed }))
        }
    }
}

/// The databases, then the layout and the store if they are wanted.
fn up_and_serve(dir: &Path, wanted: &Up) -> Outcome {
    let uri = wait_for(async {
        let playground = up(dir, wanted).await?;
        let uri = with_password(&playground);
        if let Some(layout) = &wanted.layout {
            apply::bring(&uri, layout).await?;
        }
        Ok(uri)
    })?;
    if !wanted.serve {
        return Ok(());
    }
    let flags = Flags { mongodb: Some(uri), layout: wanted.layout.clone(), ..Flags::default() };
    serve::run(&Serve { flags, demo: Some(demo::DEFAULT_PRODUCTS) })
}

/// The router's address for a store of this very process: nobody else gets to see it.
fn with_password(playground: &Playground) -> String {
    let uri = playground.mongodb_uri();
    match playground.mongodb().access().user {
        Some((user, password)) => uri.replacen(&format!("//{user}@"), &format!("//{user}:{password}@"), 1),
        None => uri,
    }
}

/// Brings the databases up, and tells where they are.
async fn up(dir: &Path, wanted: &Up) -> Outcome<Playground> {
    let (playground, came) = Playground::up(dir, wanted.wishes(), &say).await.map_err(in_words)?;
    let mongodb = playground.mongodb();
    let what = format!("MongoDB {}, {}", mongodb.binaries().version(), mongodb.shape());
    let how = match came {
        Came::New => format!("{what} is up"),
        Came::Already => format!("{what} is running already"),
        Came::Again(members) => format!("{what} is up again; started: {}", members.join(", ")),
    };
    told(&format!("{how}\n{}", playground.mongodb_uri()))?;
    Ok(playground)
}

async fn down(dir: &Path, data: Data) -> Outcome {
    let was_there = Playground::down(dir, data, &say).await.map_err(in_words)?;
    let dir = dir.display();
    told(&match (was_there, data) {
        (false, _) => format!("there is no playground in {dir}"),
        (true, Data::Removed) => format!("the playground in {dir} is gone"),
        (true, Data::Kept) => format!("the playground in {dir} is stopped, and its data are kept"),
    })
}

fn enter(dir: &Path) -> Outcome<Playground> {
    Playground::enter(dir, &say).map_err(in_words)
}

fn told(result: &str) -> Outcome {
    output::result(&format!("{result}\n"));
    Ok(())
}

fn say(line: &str) {
    output::notice(&format!("{line}\n"));
}

/// What the person typed is at fault, or the machine.
#[allow(clippy::needless_pass_by_value)] // the shape that map_err wants
fn in_words(error: PlaygroundError) -> Failure {
    match error.kind() {
        Kind::WrongInput => wrong_input(error.to_string()),
        Kind::Failed => failed(error.to_string()),
    }
}
