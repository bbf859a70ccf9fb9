//! A headless Chromium browser, if installed, controlled through WebDriver.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::{Client, ClientBuilder, Locator};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use super::running::Running;
pub(crate) use crate::support::axe::axe;
pub(crate) use crate::support::chromium::Screen;
use crate::support::skipped::skipped_here;

/// Time limit for each wait on the page, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A browser with one page. It ends when dropped.
pub(crate) struct Browser {
    client: Client,
    runtime: Runtime,
    driver: Child,
}

/// Starts chromedriver, and returns its port. It takes a port that is free for IPv4, and ends if another program has
/// the same one for IPv6; then it is started again.
fn driver() -> io::Result<(Child, u16)> {
    for _ in 0..5 {
        let mut driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let port = line.split("started successfully on port ").nth(1)?.trim_end_matches('.').to_owned();
            port.parse::<u16>().ok()
        });
        if let Some(port) = port {
            return Ok((driver, port));
        }
        let _ = driver.kill();
        let _ = driver.wait();
    }
    panic!("chromedriver ended five times without a port");
}

impl Browser {
    /// Starts a browser with this screen. Without a browser, reports a skipped test and returns `None`.
    pub(crate) fn start(screen: Screen) -> Option<Browser> {
        let (driver, port) = match driver() {
            Ok(found) => found,
            Err(error) => {
                skipped_here(&format!("chromedriver: {error}"));
                return None;
            }
        };
        let mut arguments = vec![
            "--headless=new",
            // Tests often run as root in containers, where Chromium cannot use its sandbox.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1000,800",
        ];
        if screen == Screen::DarkDesktop {
            arguments.extend(["--blink-settings=preferredColorScheme=0", "--force-prefers-reduced-motion"]);
        }
        let mut options = json!({"args": arguments});
        if let Screen::Phone | Screen::Sideways = screen {
            let (width, height) = screen.size();
            options["mobileEmulation"] = json!({"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1}});
        }
        let capabilities = json!({"goog:chromeOptions": options});
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let capabilities = capabilities.as_object().expect("an object").clone();
        let connect = async {
            ClientBuilder::new(hyper_connector())
                .capabilities(capabilities)
                .connect(&format!("http://127.0.0.1:{port}"))
                .await
        };
        let client = runtime.block_on(connect).expect("a browser");
        Some(Browser { client, runtime, driver })
    }

    pub(crate) fn open(&self, address: &str) {
        self.open_when(address, "document.getElementById('status').textContent !== 'Loading'");
    }

    /// Opens a page, and waits until an expression is true.
    #[track_caller]
    pub(crate) fn open_when(&self, address: &str, ready: &str) {
        self.runtime.block_on(self.client.goto(address)).expect("a page");
        self.wait("the page", ready);
    }

    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        self.runtime
            .block_on(self.client.execute(script, Vec::new()))
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    #[track_caller]
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// Asserts that an expression is true.
    #[track_caller]
    pub(crate) fn holds(&self, expression: &str) {
        assert_eq!(self.value(expression), true, "{expression}");
    }

    /// Returns the text of the element with this id.
    #[track_caller]
    pub(crate) fn text(&self, id: &str) -> Value {
        self.value(&format!("document.getElementById('{id}').textContent"))
    }

    /// Waits until the element with this id has this text.
    #[track_caller]
    pub(crate) fn wait_for(&self, id: &str, text: &str) {
        self.wait(text, &format!("document.getElementById('{id}').textContent === '{text}'"));
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        let start = Instant::now();
        while self.value(expression) != Value::Bool(true) {
            assert!(
                start.elapsed() < PATIENCE,
                "timed out waiting for {what}: {}",
                self.value("document.body.innerText")
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Clicks the middle of an element.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        let click = async { self.client.find(Locator::Css(selector)).await?.click().await };
        self.runtime.block_on(click).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Makes a move by two clicks: `b1-b3`. Waits until the page lists this number of moves.
    #[track_caller]
    pub(crate) fn play(&self, mv: &str, count: usize) {
        mv.split('-').for_each(|name| self.click(&square(name)));
        moved(self, count);
    }

    #[track_caller]
    pub(crate) fn click_squares(&self, from: &str, to: &str) {
        [from, to].iter().for_each(|name| self.click(&square(name)));
    }

    /// Clicks a button that asks a question, and answers yes.
    #[track_caller]
    pub(crate) fn confirm(&self, selector: &str) {
        self.click(selector);
        self.click("#question button[value=yes]");
    }

    /// Presses keys one after another in the focused element.
    pub(crate) fn press(&self, keys: &str) {
        self.act(keys.chars().flat_map(|value| [KeyAction::Down { value }, KeyAction::Up { value }]));
    }

    /// Presses a key while the control key is held.
    pub(crate) fn press_with_control(&self, value: char) {
        let control = '\u{e009}';
        self.act([
            KeyAction::Down { value: control },
            KeyAction::Down { value },
            KeyAction::Up { value },
            KeyAction::Up { value: control },
        ]);
    }

    fn act(&self, actions: impl IntoIterator<Item = KeyAction>) {
        let keys = KeyActions::new("keys".to_owned());
        let keys = actions.into_iter().fold(keys, KeyActions::then);
        self.runtime.block_on(self.client.perform_actions(keys)).expect("keys");
    }

    /// Drags from the middle of one element to the middle of another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let middle = |selector: &str| {
            let expression = format!(
                "(() => {{ const box = document.querySelector(\"{selector}\").getBoundingClientRect(); \
                 return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round); }})()"
            );
            let value = self.value(&expression);
            (value[0].as_i64().expect("a place"), value[1].as_i64().expect("a place"))
        };
        let to_point =
            |(x, y)| PointerAction::MoveTo { duration: Some(Duration::from_millis(30)), x: x as f64, y: y as f64 };
        let (from, to) = (middle(from), middle(to));
        let half = (i64::midpoint(from.0, to.0), i64::midpoint(from.1, to.1));
        let actions = MouseActions::new("mouse".to_owned())
            .then(to_point(from))
            .then(PointerAction::Down { button: 0 })
            .then(to_point(half))
            .then(to_point(to))
            .then(PointerAction::Up { button: 0 });
        self.runtime.block_on(self.client.perform_actions(actions)).expect("a drag");
    }

    /// Replaces the text of a field.
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        let fill = async {
            let field = self.client.find(Locator::Css(selector)).await?;
            field.clear().await?;
            field.send_keys(text).await
        };
        self.runtime.block_on(fill).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    pub(crate) fn choose_file(&self, selector: &str, path: &Path) {
        let path = path.to_str().expect("a plain path");
        let send = async { self.client.find(Locator::Css(selector)).await?.send_keys(path).await };
        self.runtime.block_on(send).unwrap_or_else(|error| panic!("{selector}: {error}"));
    }

    /// Rules of accessibility that the page breaks. The script of [`axe`] must have run.
    pub(crate) fn violations(&self) -> Value {
        self.run("window.found = null; axe.run().then((result) => (window.found = result.violations));");
        self.wait("the check", "window.found !== null");
        self.value("window.found.map((each) => `${each.id}: ${each.nodes.map((node) => node.html)}`)")
    }

    /// Takes a screenshot of the window as PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        self.runtime.block_on(self.client.screenshot()).expect("a picture")
    }
}

fn hyper_connector() -> hyper_util::client::legacy::connect::HttpConnector {
    hyper_util::client::legacy::connect::HttpConnector::new()
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Expression for the number of moves that the page lists.
pub(crate) const MOVES: &str = "document.querySelectorAll('#moves button').length - 1";

/// Starts the program, and a desktop browser that shows its board.
pub(super) fn open(arguments: &[&str]) -> Option<(Running, Browser)> {
    open_on(Screen::Desktop, arguments)
}

/// Starts the program, and a browser with this screen that shows its board.
pub(super) fn open_on(screen: Screen, arguments: &[&str]) -> Option<(Running, Browser)> {
    let browser = Browser::start(screen)?;
    let running = Running::start(arguments);
    browser.open(&running.address());
    Some((running, browser))
}

/// Selector for the button of a square.
pub(crate) fn square(name: &str) -> String {
    format!("#squares [data-square={name}]")
}

/// Waits until the page lists this number of moves.
#[track_caller]
pub(crate) fn moved(browser: &Browser, count: usize) {
    browser.wait("a move", &format!("{MOVES} === {count}"));
}

/// Lets a person play White as well.
#[track_caller]
pub(super) fn by_hand(browser: &Browser) {
    let answered = "performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/command')).length";
    let before = browser.value(answered);
    browser.click("input[name=white][value=manual]");
    // The program has executed the command once it has answered.
    browser.wait("two people", &format!("{answered} > {before}"));
}
